export * from './position-since.ts'
export * from './quality.ts'
