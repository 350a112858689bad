export * from './history.ts'
