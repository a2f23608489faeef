declare module "swagger-ui-dist/swagger-ui-es-bundle.js" {
  interface Options {
    domNode: HTMLElement | undefined;
    url: string;
    docExpansion: "none";
    defaultModelsExpandDepth: number;
    displayOperationId: boolean;
    filter: boolean;
    validatorUrl: null;
  }
  export default function SwaggerUI(options: Options): void;
}
