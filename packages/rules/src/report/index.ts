export * from './civil.ts'
export * from './device-data.ts'
