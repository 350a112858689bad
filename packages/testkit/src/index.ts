export * from './seed.ts'
export * from './stack.ts'
