export * from './alarm.ts'
