/** Style sheets are bundled beside the page's script; importing one has no value. */
declare module '*.css';
