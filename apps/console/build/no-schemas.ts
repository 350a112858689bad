import * as typebox from 'typebox'
import type { Plugin } from 'vite'

const id = '\0no-schemas'
/** What calls are described by in the API's documentation. */
const summary = /\bsummary:\s*(?:'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`|"(?:[^"\\]|\\.)*"),?/g
/** What only the server asks of a call; who touches nothing need not say so. */
const ofServer =
  /\b(?:scope: \{ kind: [^{}]*\}|area: '\w+'|(?:audited|enrolling|changingPassword): true|(?:movesEquipment|keepsAlive): false|touches: \[\]),/g

/**
 * Keeps TypeBox and every schema out of the browser. The contract describes its calls by schemas; only the server reads them. In the
 * console each builder is an empty object, so that a call still says whether it has `data` or `datas`; with what it was built from, and
 * with what a call means in words, it falls away in the build.
 */
export function noSchemas(): Plugin[] {
  return [
    {
      name: 'linewarden:no-schemas',
      enforce: 'pre',
      resolveId: (source) => (source === 'typebox' ? id : null),
      load(asked) {
        if (asked !== id) return null
        const names = Object.keys(typebox).filter((name) => name !== 'default')
        return `/* @__NO_SIDE_EFFECTS__ */ function none() { return {} }\nexport { ${names.map((name) => `none as ${name}`).join(', ')} }\n`
      },
      transform: (code, file) => (isContract(file) ? { code: code.replace(summary, '').replace(ofServer, ''), map: null } : null),
    },
    {
      name: 'linewarden:no-schema-arguments',
      enforce: 'post',
      transform(code, file) {
        if (!isContract(file)) return null
        let out = code
        // From the end, so that what stands before keeps its place.
        for (const [start, end] of builders(this.parse(code)).reverse()) out = `${out.slice(0, start)}({})${out.slice(end)}`
        return { code: out, map: null }
      },
    },
  ]
}

const isContract = (file: string): boolean => file.includes('/packages/contract/src/')

/** Where the outermost calls of `Type.…` stand, in order. */
function builders(node: unknown): [number, number][] {
  if (Array.isArray(node)) return node.flatMap(builders)
  if (typeof node !== 'object' || node === null) return []
  const { type, callee, start, end } = node as {
    type?: string
    callee?: { object?: { name?: string } }
    start: number
    end: number
  }
  if (type === 'CallExpression' && callee?.object?.name === 'Type') return [[start, end]]
  return Object.values(node)
    .flatMap(builders)
    .sort(([a], [b]) => a - b)
}
