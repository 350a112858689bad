import * as typebox from 'typebox'
import type { Plugin } from 'vite'

const id = '\0no-schemas'

/**
 * Keeps TypeBox and every schema out of the browser. The contract describes its calls by schemas; only the server reads them. In the
 * console each builder returns an empty object, so that a call still says whether it has `data` or `datas`, and what is not used falls
 * away in the build.
 */
export function noSchemas(): Plugin {
  return {
    name: 'linewarden:no-schemas',
    enforce: 'pre',
    resolveId: (source) => (source === 'typebox' ? id : null),
    load(asked) {
      if (asked !== id) return null
      const names = Object.keys(typebox).filter((name) => name !== 'default')
      return `/* @__NO_SIDE_EFFECTS__ */ function none() { return {} }\nexport { ${names.map((name) => `none as ${name}`).join(', ')} }\n`
    },
  }
}
