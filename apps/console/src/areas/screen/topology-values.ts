import type { Request, saveTopology, Topology } from '@linewarden/contract'
import type { SupplyKind } from '@linewarden/rules/screen'

type Body = Request<typeof saveTopology>['body']

/** What a form holds of a source; figures as they were typed. */
export interface SourceValues {
  readonly id: number
  readonly kind: SupplyKind
  readonly name: string
  readonly transformer: string
  readonly kva: string
  readonly highKv: string
  readonly lowKv: string
  readonly lines: readonly number[]
}

export interface TieValues {
  readonly key: number
  readonly line: string
  readonly busA: string
  readonly busB: string
}

export interface TopologyValues {
  readonly sources: readonly SourceValues[]
  /** Names of buses, by their keys. */
  readonly buses: Readonly<Record<string, string>>
  readonly ties: readonly TieValues[]
}

export const topologyStart = ({ Sources, Buses, Ties }: Topology): TopologyValues => ({
  sources: Sources.map(({ SourceID, Kind, Name, Transformer, LineIDs }) => ({
    ...{ id: SourceID, kind: Kind, name: Name, lines: LineIDs, transformer: Transformer?.Name ?? '' },
    kva: Transformer ? String(Transformer.Kva) : '',
    highKv: Transformer ? String(Transformer.HighKv) : '10',
    lowKv: Transformer ? String(Transformer.LowKv) : '0.4',
  })),
  buses: Object.fromEntries(Buses.map(({ Bus, Name }) => [Bus, Name])),
  ties: Ties.map(({ LineID, BusA, BusB }, key) => ({ key, line: String(LineID), busA: BusA, busB: BusB })),
})

/** A source more, with a number that none has yet. */
export const oneMore = (sources: readonly SourceValues[], name: string): SourceValues => ({
  id: Math.max(0, ...sources.map(({ id }) => id)) + 1,
  ...{ kind: 'grid', name, transformer: '', kva: '', highKv: '10', lowKv: '0.4', lines: [] },
})

const figure = (text: string): number => (/^\d+(?:\.\d+)?$/.test(text.trim()) ? Number(text) : Number.NaN)

/** What is stored of it; null: something in it is not filled in, or is no figure. A source without a rating has no transformer. */
export function topologyOf({ sources, buses, ties }: TopologyValues, version: number): Body | null {
  const figures = sources.flatMap(({ kva, highKv, lowKv }) => (kva.trim() === '' ? [] : [kva, highKv, lowKv].map(figure)))
  const isFilled = sources.every(
    ({ name, kva, transformer }) => name.trim() !== '' && (kva.trim() === '' || transformer.trim() !== ''),
  )
  if (!isFilled || !figures.every((each) => each > 0) || !ties.every(({ line, busA, busB }) => line && busA && busB)) return null
  const ids = new Set(sources.map(({ id }) => `source:${id}`))
  return {
    Sources: sources.map(({ id, kind, name, transformer, kva, highKv, lowKv, lines }) => ({
      ...{ SourceID: id, Kind: kind, Name: name.trim(), LineIDs: [...lines] },
      Transformer:
        kva.trim() === '' ? null : { Name: transformer.trim(), Kva: figure(kva), HighKv: figure(highKv), LowKv: figure(lowKv) },
    })),
    Buses: Object.entries(buses).flatMap(([Bus, Name]) =>
      Name.trim() !== '' && (Bus.startsWith('line:') || ids.has(Bus)) ? [{ Bus, Name: Name.trim() }] : [],
    ),
    Ties: ties.map(({ line, busA, busB }) => ({ LineID: Number(line), BusA: busA, BusB: busB })),
    Version: version,
  }
}
