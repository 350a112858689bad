import type { Group } from '@linewarden/contract'
import { zoneClock } from '@linewarden/contract'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hasFailed } from '../../app/net/combined-query.ts'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { useTree } from '../../plant/queries.ts'
import { useSelection } from '../../plant/selection.ts'
import { Empty } from '../../ui/body-state.tsx'
import { Page } from '../../ui/page.tsx'
import { ChosenBar } from './chosen-bar.tsx'
import { ExportButtons } from './export-buttons.tsx'
import { PointPicker } from './point-picker.tsx'
import { RangeBar } from './range-bar.tsx'
import { inAddress } from './subject.ts'
import { useHistoryAddress } from './use-history-address.ts'
import { usePoints } from './use-points.ts'
import { useSteppedWidth } from './use-stepped-width.ts'
import { View } from './view.tsx'
import './history-page.css'

/** What happened? Up to eight points of any lines over any range; everything stands in the address. */
export function HistoryPage() {
  const { t } = useTranslation('history')
  const tree = useTree()
  if (tree.data) return <Loaded groups={tree.data.Groups} />
  return (
    <Page title={t('title')}>
      <Unloaded query={tree} />
    </Page>
  )
}

function Loaded({ groups }: { groups: readonly Group[] }) {
  const { t } = useTranslation('history')
  const { address, range, setPoints, setRange, setPreset, setCompare } = useHistoryAddress()
  const [selection] = useSelection()
  const [picking, setPicking] = useState(false)
  const pick = () => setPicking(true)
  const { chosen, asked, gone, project, lines, isTooMuch, lacking } = usePoints(groups, selection, address.points, picking)
  const zoneName = project?.TimeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
  const zone = useMemo(() => zoneClock(zoneName), [zoneName])
  const [body, width] = useSteppedWidth()
  return (
    <main className="page history" data-phases={project?.Standard === 'IEC' ? 'iec' : undefined}>
      <div className="head">
        <h1>{t('title')}</h1>
        <span className="grow" />
        <RangeBar address={address} range={range} zone={zone} onPreset={setPreset} onRange={setRange} />
        <ExportButtons points={asked} range={range} width={width} />
      </div>
      <ChosenBar
        chosen={chosen}
        gone={gone}
        compare={address.compare}
        onChoose={(next) => setPoints(next.map(inAddress))}
        onPick={pick}
        onCompare={setCompare}
      />
      <div className="body" ref={body}>
        {lacking && (hasFailed(lacking) || (chosen.length === 0 && !picking)) ? (
          <Unloaded query={lacking} />
        ) : chosen.length === 0 ? (
          <Empty title={t('emptyTitle')} hint={t('emptyHint')} action={{ label: t('addPoints'), run: pick }} />
        ) : (
          <View
            chosen={chosen}
            points={asked}
            range={range}
            width={width}
            compare={address.compare}
            zone={zone}
            zoneName={zoneName}
            onRange={setRange}
          />
        )}
      </div>
      {picking && (
        <PointPicker
          lines={lines}
          selection={selection}
          points={chosen.map(inAddress)}
          lacking={lacking}
          isTooMuch={isTooMuch}
          onChange={setPoints}
          onClose={() => setPicking(false)}
        />
      )}
    </main>
  )
}
