export * from './quality.ts'
