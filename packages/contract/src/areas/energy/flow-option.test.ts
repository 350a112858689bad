import { expect, test } from 'vitest'
import type { EnergyFlow, FlowNode } from './balance.ts'
import { flowHeight, flowOption, withSmallTogether } from './flow-option.ts'

const node = (Kind: FlowNode['Kind'], Wh: number, LineID: number | null = null): FlowNode => ({
  ...{ Kind, LineID, Name: LineID === null ? null : `L${LineID}`, Lines: 1, Wh, AboveWh: 0, LackingS: 0 },
})

test('parts below one and a half per cent are drawn as one, and the sum of what goes out stays', () => {
  const parts = [500, 300, 100, 14, 13, 12]
  const flow: Pick<EnergyFlow, 'Nodes' | 'Links'> = {
    Nodes: [node('whole', 1_000), ...parts.map((wh, index) => node('line', wh, index + 1)), node('rest', 61)],
    Links: [...parts, 61].map((Wh, index) => ({ From: 0, To: index + 1, Wh })),
  }
  const { Nodes, Links } = withSmallTogether(flow)
  expect(Links.map(({ To, Wh }) => [Nodes[To]?.Kind, Nodes[To]?.Lines, Wh])).toEqual([
    ['line', 1, 500],
    ['line', 1, 300],
    ['line', 1, 100],
    ['others', 3, 39],
    ['rest', 1, 61],
  ])
  expect(Links.reduce((sum, { Wh }) => sum + Wh, 0)).toBe(1_000)
})

test('what is left is not drawn where it would say nought', () => {
  const left = (Wh: number) =>
    withSmallTogether({
      Nodes: [node('whole', 100_000), node('line', 100_000, 1), node('rest', Wh), node('notKnown', 900)],
      Links: [
        { From: 0, To: 1, Wh: 100_000 },
        { From: 1, To: 2, Wh },
        { From: 1, To: 3, Wh: 900 },
      ],
    }).Links.map(({ To }) => To)
  expect(left(99)).toEqual([1, 3])
  expect(left(100)).toEqual([1, 2, 3])
})

test('a name with the signs of a style is drawn as a name', () => {
  const flow = { Nodes: [node('whole', 10), { ...node('line', 10, 1), Name: '{figure|A}' }], Links: [{ From: 0, To: 1, Wh: 10 }] }
  const words = { nameOf: ({ Name }: FlowNode) => Name ?? '', kwhOf: String, shareOf: () => '100.0 %' }
  const { series } = flowOption({ flow, width: 600, token: () => '#000', hatch: {}, words })
  expect(series[0]?.label.formatter({ name: '1' })).toBe(' figure A   {figure|10  100.0 %}')
  expect(flowHeight(flow.Links)).toBe(200)
})
