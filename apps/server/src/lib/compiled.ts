import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

/** Source that was read once is not compiled again at the next start. A folder that cannot be written only leaves that out. */
export function keepCompiled(): void {
  enableCompileCache(fileURLToPath(new URL('../../../../node_modules/.cache/linewarden-compiled', import.meta.url)))
}
