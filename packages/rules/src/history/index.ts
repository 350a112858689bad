export * from './bucket-edges.ts'
export * from './counter.ts'
export * from './gaps.ts'
export * from './plan.ts'
