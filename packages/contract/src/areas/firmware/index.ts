export * from './firmware.ts'
