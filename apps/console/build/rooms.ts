import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import type { InlineConfig, Plugin, Rolldown } from 'vite'
import { build } from 'vite'
import type { Joining, Piece } from './shared-files.ts'
import { sharedFiles } from './shared-files.ts'

type Groups = NonNullable<Extract<Rolldown.OutputOptions['codeSplitting'], object>['groups']>

const source = join(import.meta.dirname, '../src')

const joining: Joining = {
  layers: {
    // Drawn before anybody is signed in, and first of all: nothing else comes with it.
    start: ['index.html'],
    door: ['areas/account/login-page.tsx'],
    // Drawn around every page behind the login.
    house: ['frame/guard.tsx', 'frame/shell.tsx'],
  },
  // At 400 kbit/s they are as long on their way as a question and its answer.
  fileBytes: 8_192,
}

/**
 * How modules that several pages share are put into files. Left alone each set of pages that shares something has a file for it, and a page
 * asks for eighty of them, six at a time. So the console is built twice: once left alone, to learn what each page truly needs of each
 * module, and then with what is shared in files that are worth their bytes (`sharedFiles`).
 */
export async function rooms(settings: InlineConfig): Promise<Groups> {
  const { pieces, pieceOf } = await builtAlone(settings)
  const places = sharedFiles(pieces, joining)
  const names = namesOf(new Set(places.values()))
  return [
    {
      debugName: 'rooms',
      name: (id) => names.get(places.get(pieceOf.get(id) ?? '') ?? '') ?? null,
      includeDependenciesRecursively: false,
    },
  ]
}

async function builtAlone({
  plugins,
  build: how,
  ...rest
}: InlineConfig): Promise<{ pieces: Piece[]; pieceOf: Map<string, string> }> {
  let pieces: Piece[] = []
  const pieceOf = new Map<string, string>()
  const look: Plugin = {
    name: 'linewarden:look',
    generateBundle: {
      // Before Vite takes what holds nothing but styles for no file of its own.
      order: 'pre',
      handler(_options, bundle) {
        pieces = piecesOf(bundle)
        for (const each of Object.values(bundle))
          if (each.type === 'chunk') for (const id of each.moduleIds) pieceOf.set(id, nameOf(each))
      },
    },
  }
  await build({ ...rest, configFile: false, logLevel: 'error', plugins: [plugins, look], build: { ...how, write: false } })
  return { pieces, pieceOf }
}

function piecesOf(bundle: Rolldown.OutputBundle): Piece[] {
  const weights = new Map(
    Object.values(bundle).map((each) => [each.fileName, weightOf(each.type === 'chunk' ? each.code : each.source)]),
  )
  return Object.values(bundle).flatMap((chunk): Piece[] => {
    if (chunk.type !== 'chunk') return []
    const name = nameOf(chunk)
    const styles = [...(chunk.viteMetadata?.importedCss ?? [])]
    const imports = chunk.imports.flatMap((file) => {
      const found = bundle[file]
      return found?.type === 'chunk' ? [nameOf(found)] : []
    })
    return [
      {
        name,
        bytes: [chunk.fileName, ...styles].reduce((sum, file) => sum + (weights.get(file) ?? 0), 0),
        hasStyles: styles.length > 0,
        imports,
        kind: !chunk.isEntry && !chunk.isDynamicEntry ? 'shared' : name.endsWith('-page.tsx') ? 'page' : 'part',
      },
    ]
  })
}

/** What is opened by itself is named by its source, and what is shared by its file. */
function nameOf({ facadeModuleId, fileName }: Rolldown.OutputChunk): string {
  if (facadeModuleId === null) return fileName
  return facadeModuleId.startsWith(source)
    ? facadeModuleId.slice(source.length + 1)
    : (facadeModuleId.split('/').at(-1) ?? fileName)
}

/** Without folder and hash; two that are called the same are two. */
function namesOf(files: ReadonlySet<string>): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  for (const file of files) {
    const name = file.replace(/^assets\/|-[\w-]{8}\.js$/g, '')
    const taken = [...names.values()]
    names.set(file, taken.includes(name) ? `${name}-${taken.length}` : name)
  }
  return names
}

const weightOf = (content: string | Uint8Array): number =>
  brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }).length
