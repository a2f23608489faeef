import react from "@vitejs/plugin-react";
import { loadEnv } from "vite";
import { defineConfig } from "vitest/config";

export default defineConfig(({ mode }) => {
  // `npm run dev` shows the pages as they are written; a running Bailiwick answers the rest.
  const { BAILIWICK_PORT: port = "8787" } = loadEnv(mode, ".", "BAILIWICK_");
  const office = `http://127.0.0.1:${port}`;
  return {
    plugins: [react()],
    resolve: { alias: { "@": new URL("./src", import.meta.url).pathname } },
    build: {
      outDir: "../src/bailiwick/web/dist",
      emptyOutDir: true,
      // The server's policy allows no data: fonts or scripts, so small files stay files.
      assetsInlineLimit: 0,
      // Swagger is the one large piece, and read on its own page only.
      chunkSizeWarningLimit: 1600,
    },
    test: { include: ["src/**/*.test.ts"], environment: "node" },
    server: {
      host: "127.0.0.1",
      proxy: {
        // The server answers to its own name only, and to its own pages only.
        "/api": { target: office, changeOrigin: true, headers: { origin: office } },
      },
    },
  };
});
