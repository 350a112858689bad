export * from './client.ts'
export * from './live.ts'
export * from './password.ts'
export * from './photo.ts'
