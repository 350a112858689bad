export * from './ingest.ts'
