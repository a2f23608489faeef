import js from "@eslint/js";
import jsxA11y from "eslint-plugin-jsx-a11y";
import reactHooks from "eslint-plugin-react-hooks";
import tseslint from "typescript-eslint";

export default tseslint.config(
  { ignores: ["src/api/schema.d.ts"] },
  {
    files: ["**/*.{ts,tsx}"],
    extends: [
      js.configs.recommended,
      tseslint.configs.strictTypeChecked,
      tseslint.configs.stylisticTypeChecked,
      jsxA11y.flatConfigs.recommended,
    ],
    plugins: { "react-hooks": reactHooks },
    languageOptions: { parserOptions: { projectService: true } },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "react-hooks/rules-of-hooks": "error",
      "react-hooks/exhaustive-deps": "error",
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/no-unused-vars": [
        "error",
        { argsIgnorePattern: "^_", varsIgnorePattern: "^_" },
      ],
      // `as Logic` says what it is; `!` only that it is something.
      "@typescript-eslint/non-nullable-type-assertion-style": "off",
      // The router's redirects and the server's problems are thrown as they are.
      "@typescript-eslint/only-throw-error": "off",
      // A function that does nothing, the result of one that has none, an empty string that counts as nothing, a function that is
      // async for its caller's sake, characters counted by spreading: all of them are meant.
      "@typescript-eslint/no-empty-function": "off",
      "@typescript-eslint/no-confusing-void-expression": "off",
      "@typescript-eslint/prefer-nullish-coalescing": "off",
      "@typescript-eslint/require-await": "off",
      "@typescript-eslint/no-misused-spread": "off",
      // Without its look, Safari takes a list for no list.
      "jsx-a11y/no-redundant-roles": ["error", { ul: ["list"], ol: ["list"] }],
      // What scrolls has to be reachable by the keyboard.
      "jsx-a11y/no-noninteractive-tabindex": [
        "error",
        { tags: ["pre"], roles: ["region", "group", "log"], allowExpressionValues: true },
      ],
      // A dialog or a page that asks for one thing begins there.
      "jsx-a11y/no-autofocus": "off",
    },
  },
);
