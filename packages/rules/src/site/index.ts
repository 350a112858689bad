export * from './imei.ts'
export * from './life.ts'
export * from './locale.ts'
export * from './signal.ts'
