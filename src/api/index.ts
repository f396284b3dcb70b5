export * from './errors.ts';
export * from './serviceClient.ts';
export * from './types.ts';
