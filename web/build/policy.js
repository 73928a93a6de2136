/** Everything is loaded from where the page lies, and nothing else is. */
const own =
  "default-src 'none'; script-src 'self'; worker-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; style-src 'self'";

const written = (policy) => `<meta http-equiv="Content-Security-Policy" content="${policy}">`;

/** What the pages of the site may load. */
export const sitePolicy = written(own);

/** What the playground may load: its editor puts its styles into the page. */
export const pagePolicy = written(`${own} 'unsafe-inline'`);
