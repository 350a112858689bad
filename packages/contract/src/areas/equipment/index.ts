export * from './device-tokens.ts'
export * from './equipment.ts'
