/** The content security policy of the site's pages, as markup. */
export const sitePolicy: string;
