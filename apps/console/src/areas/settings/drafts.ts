import { create } from 'zustand'
import { onSessionChange, useSession } from '../../app/session/session.ts'

type Texts = Readonly<Record<string, string>>

/** What somebody has written and not yet sent, by key. */
export interface Drafts {
  readonly texts: Texts
  set(key: string, text: string): void
  fill(values: Readonly<Record<string, number>>): void
  clear(): void
}

const storageKey = 'linewarden.drafts'

/** The drafts of one line. */
export function useDrafts(lineId: number): Drafts {
  const texts = useKept(({ lines }) => lines[lineId]) ?? none
  const put = (more: Texts) => {
    const { lines } = useKept.getState()
    write({ ...lines, [lineId]: { ...lines[lineId], ...more } })
  }
  return {
    texts,
    set: (key, text) => put({ [key]: text }),
    fill: (values) =>
      put(Object.fromEntries(Object.entries(values).map(([key, value]) => [key, String(Number(value.toFixed(3)))]))),
    clear: () => write(Object.fromEntries(Object.entries(useKept.getState().lines).filter(([id]) => id !== String(lineId)))),
  }
}

const none: Texts = {}

function write(lines: Readonly<Record<string, Texts>>): void {
  useKept.setState({ lines })
  if (Object.keys(lines).length === 0) sessionStorage.removeItem(storageKey)
  else sessionStorage.setItem(storageKey, JSON.stringify({ owner: owner(), lines }))
}

/** Whose drafts these are. */
const owner = (): string => useSession.getState().userId

/** What this tab kept for this account; anything that is no draft is dropped. */
function read(): Readonly<Record<string, Texts>> {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(storageKey) ?? 'null')
    if (!isObject(kept) || kept.owner !== owner() || !isObject(kept.lines)) return {}
    return Object.fromEntries(
      Object.entries(kept.lines).flatMap(([id, texts]) => (isObject(texts) ? [[id, onlyTexts(texts)]] : [])),
    )
  } catch {
    return {}
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null

const onlyTexts = (texts: Readonly<Record<string, unknown>>): Texts =>
  Object.fromEntries(Object.entries(texts).flatMap(([key, text]) => (typeof text === 'string' ? [[key, text]] : [])))

/**
 * Drafts of every line, by its id. They outlive the page, another line and a reload of this tab, until they are sent or discarded; another
 * account does not find them.
 */
const useKept = create<{ readonly lines: Readonly<Record<string, Texts>> }>(() => ({ lines: read() }))

onSessionChange(() => write({}))
