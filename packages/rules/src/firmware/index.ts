export * from './campaign.ts'
export * from './manifest.ts'
export * from './upgrade.ts'
export * from './version.ts'
