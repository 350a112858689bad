export * from './assigning.ts'
