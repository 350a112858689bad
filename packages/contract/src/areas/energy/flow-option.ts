import type { EnergyFlow, FlowNode } from './balance.ts'

/** A part below this share of the whole, and beyond so many of one line, is put together with others. */
const minShare = 0.015
const maxParts = 12
/** What is left below this share has no width, and its label says nought: it stands in the table. */
const minLeft = 0.001

export interface FlowWords {
  readonly nameOf: (node: FlowNode) => string
  readonly kwhOf: (wh: number) => string
  readonly shareOf: (wh: number) => string
}

export interface FlowPicture {
  readonly flow: Pick<EnergyFlow, 'Nodes' | 'Links'>
  readonly width: number
  readonly token: (name: string) => string
  readonly hatch: object | string
  readonly words: FlowWords
}

/** The small last parts of each line as one, so that what is drawn can be read; a single small one stays, and what is left only where it is seen. */
export function withSmallTogether({ Nodes, Links }: Pick<EnergyFlow, 'Nodes' | 'Links'>): Pick<EnergyFlow, 'Nodes' | 'Links'> {
  const total = Nodes.find(({ Kind }) => Kind === 'whole')?.Wh ?? 0
  const sources = new Set(Links.map(({ From }) => From))
  const into = new Map<number, number>()
  for (const { To } of Links) into.set(To, (into.get(To) ?? 0) + 1)
  const isLast = (place: number) =>
    (Nodes[place]?.Kind === 'line' || Nodes[place]?.Kind === 'others') && !sources.has(place) && into.get(place) === 1
  const small = new Map<number, number>()
  const nodes: FlowNode[] = [...Nodes]
  for (const source of sources) {
    const parts = Links.filter(({ From, To }) => From === source && isLast(To)).sort((one, other) => other.Wh - one.Wh)
    const together = parts.filter(
      ({ To, Wh }, place) => Nodes[To]?.Kind === 'others' || Wh < minShare * total || place >= maxParts,
    )
    if (together.length < 2) continue
    const Lines = together.reduce((sum, { To }) => sum + (Nodes[To]?.Lines ?? 0), 0)
    const Wh = together.reduce((sum, link) => sum + link.Wh, 0)
    const place = nodes.push({ Kind: 'others', LineID: null, Name: null, Lines, Wh, AboveWh: 0, LackingS: 0 }) - 1
    for (const { To } of together) small.set(To, place)
  }
  const links = new Map<string, EnergyFlow['Links'][number]>()
  const isNought = (place: number) =>
    (Nodes[place]?.Kind === 'rest' || Nodes[place]?.Kind === 'notKnown') && (Nodes[place]?.Wh ?? 0) < minLeft * total
  for (const { From, To, Wh } of Links) {
    if (isNought(To)) continue
    const target = small.get(To) ?? To
    const key = `${From} ${target}`
    links.set(key, { From, To: target, Wh: Wh + (links.get(key)?.Wh ?? 0) })
  }
  return { Nodes: nodes, Links: [...links.values()] }
}

const nodeWidth = 10
const nodeGap = 14
const rowHeight = 30

/** How many columns there are, and how many nodes the fullest one has. */
function shapeOf(links: EnergyFlow['Links']): { readonly columns: number; readonly rows: number } {
  const depth = new Map<number, number>([[0, 0]])
  // Links never go round: nothing lies deeper than there are links.
  for (let round = 0, moved = true; moved && round <= links.length; round++) {
    moved = false
    for (const { From, To } of links) {
      const next = (depth.get(From) ?? 0) + 1
      if (next <= (depth.get(To) ?? 0)) continue
      depth.set(To, next)
      moved = true
    }
  }
  const sources = new Set(links.map(({ From }) => From))
  const columns = Math.max(0, ...depth.values())
  const counts = new Map<number, number>()
  for (const [place, at] of depth) {
    // Whatever nothing comes out of stands in the last column.
    const column = sources.has(place) ? at : columns
    counts.set(column, (counts.get(column) ?? 0) + 1)
  }
  return { columns, rows: Math.max(1, ...counts.values()) }
}

export const flowHeight = (links: EnergyFlow['Links']): number =>
  Math.max(200, Math.min(640, shapeOf(links).rows * rowHeight + 24))

/** From left to right as wide as the energy. */
export function flowOption({ flow: { Nodes, Links }, width, token, hatch, words }: FlowPicture) {
  const { columns } = shapeOf(Links)
  const drawn = new Set(Links.flatMap(({ From, To }) => [From, To]))
  const right = Math.min(220, Math.round(width * 0.34))
  const between = (width - right - 16) / Math.max(1, columns)
  const sources = new Set(Links.map(({ From }) => From))
  const colours = {
    ...{ whole: token('--data-1'), line: token('--data-2'), others: token('--data-3') },
    ...{ rest: token('--data-4'), notKnown: hatch },
  }
  return {
    animation: false,
    series: [
      {
        type: 'sankey',
        ...{ left: 16, right, top: 8, bottom: 8, nodeWidth, nodeGap, nodeAlign: 'justify', draggable: false },
        emphasis: { focus: 'adjacency' },
        labelLayout: { hideOverlap: true },
        data: [...drawn].map((place) => {
          const node = Nodes[place]
          const isLast = !sources.has(place)
          return {
            name: String(place),
            value: node?.Wh ?? 0,
            itemStyle: {
              color: node ? colours[node.Kind] : colours.line,
              borderWidth: node?.Kind === 'rest' || node?.Kind === 'notKnown' ? 1 : 0,
              borderColor: token('--line-control'),
            },
            label: {
              position: 'right',
              width: Math.max(48, (isLast ? right : between) - nodeWidth - 16),
              overflow: 'truncate',
            },
          }
        }),
        links: Links.map(({ From, To, Wh }) => ({
          source: String(From),
          target: String(To),
          value: Wh,
          lineStyle: { color: Nodes[To]?.Kind === 'notKnown' ? token('--gap') : token('--data-4'), opacity: 0.6 },
        })),
        lineStyle: { curveness: 0.5 },
        label: {
          ...{
            color: token('--ink'),
            fontSize: 12,
            fontFamily: token('--font'),
            textBorderColor: token('--sheet'),
            textBorderWidth: 3,
          },
          formatter: ({ name }: { name: string }) => {
            const room = sources.has(Number(name)) ? between : right
            return labelOf(Nodes[Number(name)], words, room)
          },
          rich: { figure: { color: token('--ink-2'), fontSize: 12, textBorderColor: token('--sheet'), textBorderWidth: 3 } },
        },
      },
    ],
  }
}

/** `{` and `}` begin and end a style in a label: they have no place in a name that is drawn. */
const plain = (name: string): string => name.replaceAll(/[{}|]/g, ' ')

/** Below this there is room for a name alone, and below the other one for a name and its share, px. */
const [nameRoom, shareRoom] = [110, 180]

function labelOf(node: FlowNode | undefined, { nameOf, kwhOf, shareOf }: FlowWords, room: number): string {
  if (!node) return ''
  const name = plain(nameOf(node))
  if (room < nameRoom) return name
  return `${name}  {figure|${room < shareRoom ? '' : `${kwhOf(node.Wh)}  `}${shareOf(node.Wh)}}`
}
