import type { EnergyFlow, FlowNode, FlowWords } from '@linewarden/contract'
import { flowHeight, flowOption, withSmallTogether } from '@linewarden/contract'
import { useEffect, useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useSteady } from '../../ui/use-steady.ts'
import { useWidth } from '../../ui/use-width.ts'
import { hatchOf } from '../history/hatch.ts'
import { useThemeCount } from '../history/use-theme-count.ts'
import { shareText } from './balance-rows.ts'
import { shownKwh } from './figures.ts'
import type { FlowChart } from './flow-echarts.ts'
import { makeFlowChart } from './flow-echarts.ts'

/** Where energy goes: a picture, and the same figures as a table. */
export function FlowPanel(props: {
  flow: EnergyFlow
  /** Some feeder has lines above it, beyond the error. */
  isAbove: boolean
  onOpen: (lineId: number) => void
}) {
  const { flow, isAbove, onOpen } = props
  const { t } = useTranslation('energyBalance')
  const words = useFlowWords(flow)
  const whole = flow.Nodes.find(({ Kind }) => Kind === 'whole')
  const label = t('flowLabel', { name: whole?.Name ?? '', total: words.kwhOf(whole?.Wh ?? 0), lines: flow.Lines })
  return (
    <section className="panel flow-panel">
      <header>
        <h2>{t('flow')}</h2>
        <small>{t('flowNote')}</small>
      </header>
      <FlowPicture flow={flow} words={words} label={label} onOpen={onOpen} />
      {flow.Nodes.some(({ Kind }) => Kind === 'notKnown') && <p className="flow-note mute">{t('notKnownHint')}</p>}
      {isAbove && <p className="flow-note mute">{t('aboveHint')}</p>}
      <FlowTable flow={flow} words={words} />
    </section>
  )
}

function useFlowWords(flow: EnergyFlow): FlowWords {
  const { t } = useTranslation('energyBalance')
  return useMemo(() => {
    const total = flow.Nodes.find(({ Kind }) => Kind === 'whole')?.Wh ?? 0
    const names: Readonly<Record<FlowNode['Kind'], (node: FlowNode) => string>> = {
      whole: ({ Name }) => Name ?? '',
      line: ({ Name }) => Name ?? '',
      others: ({ Lines }) => t('others', { count: Lines }),
      rest: () => t('restNode'),
      notKnown: () => t('notKnownNode'),
    }
    return {
      nameOf: (node) => names[node.Kind](node),
      kwhOf: shownKwh([], total).of,
      shareOf: (wh) => shareText(total > 0 ? wh / total : null),
    }
  }, [flow, t])
}

function FlowPicture(props: { flow: EnergyFlow; words: FlowWords; label: string; onOpen: (lineId: number) => void }) {
  const { flow, words, label } = props
  const box = useRef<HTMLDivElement>(null)
  const chart = useRef<FlowChart | null>(null)
  const width = useWidth(box)
  const theme = useThemeCount()
  const drawn = useMemo(() => withSmallTogether(flow), [flow])
  const height = flowHeight(drawn.Links)
  const open = useSteady((name: string) => {
    const lineId = drawn.Nodes[Number(name)]?.LineID
    if (lineId != null) props.onOpen(lineId)
  })

  useEffect(() => {
    if (!box.current) return
    const made = makeFlowChart(box.current)
    chart.current = made
    made.on('click', ({ dataType, name }) => {
      if (dataType === 'node') open(name)
    })
    return () => {
      made.dispose()
      chart.current = null
    }
  }, [open])

  // biome-ignore lint/correctness/useExhaustiveDependencies: another theme has other colours
  useEffect(() => {
    if (!box.current || !chart.current || width === 0) return
    const style = getComputedStyle(box.current)
    const token = (name: string) => style.getPropertyValue(name).trim()
    chart.current.resize({ width, height })
    chart.current.setOption(flowOption({ flow: drawn, width, token, hatch: hatchOf(token), words }), { notMerge: true })
  }, [drawn, words, width, height, theme])

  return <div ref={box} className="flow-picture" role="img" aria-label={label} style={{ height }} />
}

function FlowTable({ flow: { Nodes, Links }, words }: { flow: EnergyFlow; words: FlowWords }) {
  const { t } = useTranslation('energyBalance')
  const nameOf = (place: number) => {
    const node = Nodes[place]
    return node ? words.nameOf(node) : ''
  }
  return (
    <details className="flow-table">
      <summary>{t('flowTable')}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <div className="flow-scroll" tabIndex={0} role="region" aria-label={t('flowCaption')}>
        <table className="energy-table">
          <caption>{t('flowCaption')}</caption>
          <thead>
            <tr>
              <th scope="col">{t('from')}</th>
              <th scope="col">{t('to')}</th>
              <th scope="col" className="num">
                {t('kwh')}
              </th>
              <th scope="col" className="num">
                {t('share')}
              </th>
            </tr>
          </thead>
          <tbody>
            {Links.map(({ From, To, Wh }) => (
              <tr key={`${From} ${To}`}>
                <td>{nameOf(From)}</td>
                <td>{nameOf(To)}</td>
                <td className="num">{words.kwhOf(Wh)}</td>
                <td className="num">{words.shareOf(Wh)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  )
}
