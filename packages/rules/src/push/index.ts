export * from './push-window.ts'
