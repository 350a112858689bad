import { keepCompiled } from './lib/compiled.ts'

keepCompiled()
const { runServer } = await import('./run.ts')
await runServer()
