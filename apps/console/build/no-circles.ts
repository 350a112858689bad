import type { Plugin } from 'vite'

/** A build in which files wait for one another in a circle is none: which of them runs first, and finds nothing, is chance. */
export function noCircles(): Plugin {
  return {
    name: 'linewarden:no-circles',
    apply: 'build',
    generateBundle(_options, bundle) {
      const importsOf = (file: string): readonly string[] => {
        const found = bundle[file]
        return found?.type === 'chunk' ? found.imports : []
      }
      const circle = circleOf(Object.keys(bundle), importsOf)
      if (circle) this.error(`files wait for one another in a circle: ${circle.join(' → ')}`)
    },
  }
}

/** The first circle there is, from a file back to itself. */
export function circleOf(files: readonly string[], importsOf: (file: string) => readonly string[]): readonly string[] | null {
  const done = new Set<string>()
  const follow = (file: string, path: readonly string[]): readonly string[] | null => {
    const at = path.indexOf(file)
    if (at >= 0) return [...path.slice(at), file]
    if (done.has(file)) return null
    for (const each of importsOf(file)) {
      const circle = follow(each, [...path, file])
      if (circle) return circle
    }
    done.add(file)
    return null
  }
  for (const file of files) {
    const circle = follow(file, [])
    if (circle) return circle
  }
  return null
}
