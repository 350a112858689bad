export * from './position-since.ts'
export * from './power-sum.ts'
export * from './quality.ts'
