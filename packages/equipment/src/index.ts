export * from './catalogue.ts'
export * from './family.ts'
export * from './voltage-bands.ts'
export * from './wire.ts'
