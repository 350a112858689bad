export * from './account.ts'
export * from './branding.ts'
export * from './sign-in.ts'
