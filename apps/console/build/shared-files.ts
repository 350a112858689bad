/** One file of a build that was left alone: what is opened by itself, or the modules that the same pages share. */
export interface Piece {
  readonly name: string
  /** As they come over the line, with their styles. */
  readonly bytes: number
  readonly hasStyles: boolean
  /** What must be there before it runs. */
  readonly imports: readonly string[]
  /** `page` and `part` (what a page loads on demand) stay files of their own. */
  readonly kind: 'page' | 'part' | 'shared'
}

export interface Joining {
  /** What is shared and needed to open any of these comes in one file of this name; of two layers the first has what both need. */
  readonly layers: Readonly<Record<string, readonly string[]>>
  /** A file more costs a page as much as so many bytes that it loads in vain. */
  readonly fileBytes: number
}

/** Shared pieces that come in one file. */
interface Room {
  readonly name: string
  readonly pieces: readonly Piece[]
  readonly bytes: number
  readonly hasStyles: boolean
  readonly openers: ReadonlySet<string>
}

/**
 * In which file each shared piece comes. First the layers; what is left is joined two by two, whichever saves most first, for as long as the
 * files that pages are spared outweigh the bytes that they load in vain. No two files wait for one another, however indirectly.
 */
export function sharedFiles(pieces: readonly Piece[], { layers, fileBytes }: Joining): ReadonlyMap<string, string> {
  const byName = new Map(pieces.map((piece) => [piece.name, piece]))
  let free: readonly Room[] = singleRooms(byName)
  const layered: Room[] = []
  const canJoin = (a: Room, b: Room): boolean => {
    const roomOf = new Map([...layered, ...free].flatMap((room) => room.pieces.map(({ name }) => [name, room])))
    return !waits(a, b, roomOf, byName) && !waits(b, a, roomOf, byName)
  }
  for (const [name, openers] of Object.entries(layers)) {
    let layer: Room | null = null
    for (const each of reached(byName, openers)) {
      const room: Room | undefined = free.find(({ pieces }) => pieces[0]?.name === each)
      if (!room || (layer && !canJoin(layer, room))) continue
      free = free.filter((other) => other !== room)
      if (layer) layered.pop()
      layer = { ...(layer ? joined(layer, room) : room), name }
      layered.push(layer)
    }
  }
  for (;;) {
    const best = pairsWorthJoining(free, fileBytes).find(([a, b]) => canJoin(a, b))
    if (!best) break
    free = [...free.filter((room) => !best.includes(room)), joined(...best)]
  }
  return new Map([...layered, ...free].flatMap(({ name, pieces }) => pieces.map((piece) => [piece.name, name])))
}

/** Each shared piece by itself. A part is opened on a page: it counts where no page itself needs the piece. */
function singleRooms(byName: ReadonlyMap<string, Piece>): Room[] {
  const openers = new Map<string, { page: Set<string>; part: Set<string> }>()
  for (const { name, kind } of byName.values()) {
    if (kind === 'shared') continue
    for (const each of reached(byName, [name])) {
      const found = openers.get(each) ?? { page: new Set(), part: new Set() }
      openers.set(each, found)
      found[kind].add(name)
    }
  }
  return [...byName.values()].flatMap((piece) => {
    const found = openers.get(piece.name)
    if (!found || piece.kind !== 'shared') return []
    const { name, bytes, hasStyles } = piece
    return [{ name, bytes, hasStyles, pieces: [piece], openers: found.page.size > 0 ? found.page : found.part }]
  })
}

/** Named after the larger one. */
const joined = (a: Room, b: Room): Room => ({
  name: a.bytes >= b.bytes ? a.name : b.name,
  bytes: a.bytes + b.bytes,
  hasStyles: a.hasStyles || b.hasStyles,
  pieces: [...a.pieces, ...b.pieces],
  openers: new Set([...a.openers, ...b.openers]),
})

/** What saves most stands first. */
function pairsWorthJoining(rooms: readonly Room[], fileBytes: number): [Room, Room][] {
  const pairs = rooms.flatMap((a, index) =>
    rooms.slice(index + 1).map((b) => ({ pair: [a, b] satisfies [Room, Room], bytes: savedBytes(a, b, fileBytes) })),
  )
  const worth = pairs.filter(({ bytes }) => bytes > 0).sort((a, b) => b.bytes - a.bytes)
  return worth.map(({ pair: [a, b] }) => [a, b])
}

/** By joining two, over all that open either. */
function savedBytes(a: Room, b: Room, fileBytes: number): number {
  const both = [...a.openers].filter((opener) => b.openers.has(opener)).length
  const spared = a.hasStyles && b.hasStyles ? 2 : 1
  return both * spared * fileBytes - (a.openers.size - both) * b.bytes - (b.openers.size - both) * a.bytes
}

/** Whether one waits for another by way of a third: joined, they would wait for it and it for them. */
function waits(from: Room, to: Room, roomOf: ReadonlyMap<string, Room>, byName: ReadonlyMap<string, Piece>): boolean {
  const importsOf = (name: string): readonly string[] =>
    (roomOf.get(name)?.pieces ?? [byName.get(name)]).flatMap((piece) => piece?.imports ?? [])
  const isThird = (name: string): boolean => roomOf.get(name) !== from && roomOf.get(name) !== to
  const between = new Set(from.pieces.flatMap(({ imports }) => imports).filter(isThird))
  for (const name of between) {
    for (const each of importsOf(name)) {
      if (roomOf.get(each) === to) return true
      if (isThird(each)) between.add(each)
    }
  }
  return false
}

/** These and all that must be there before they run, what each waits for before itself. */
function reached(byName: ReadonlyMap<string, Piece>, from: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>()
  const under = new Set<string>()
  const visit = (name: string) => {
    if (found.has(name) || under.has(name)) return
    under.add(name)
    for (const each of byName.get(name)?.imports ?? []) visit(each)
    found.add(name)
  }
  for (const name of from) visit(name)
  return found
}
