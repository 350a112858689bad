import type { Group, Project } from '@linewarden/contract'
import { zoneClock } from '@linewarden/contract'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { ByProject } from '../../plant/by-project.tsx'
import { crumbOf } from '../../plant/crumb.ts'
import { isSelected } from '../../plant/equipment.ts'
import { useLineRefs, useProjects } from '../../plant/queries.ts'
import { useSelection } from '../../plant/selection.ts'
import { Empty } from '../../ui/body-state.tsx'
import { addTexts } from '../../ui/i18n.ts'
import { Page } from '../../ui/page.tsx'
import { LinesDialog } from './lines-dialog.tsx'
import { PointChips } from './point-chips.tsx'
import { subjectOf } from './subject.ts'
import { TableView } from './table-view.tsx'
import { deviceData } from './texts.ts'
import { Exports, StepBar } from './tools.tsx'
import { useDataAddress } from './use-data-address.ts'
import { usePeriod } from './use-period.ts'
import '../../ui/list.css'
import '../../ui/query-table.css'
import './device-data.css'

addTexts({ deviceData })

/** What lines measured and used, row by row; place, lines, points, step, period and page stand in the address. */
export function DeviceDataPage() {
  const { t } = useTranslation('deviceData')
  const words = { title: t('title'), project: t('project'), choose: t('chooseProject'), hint: t('chooseHint') }
  return <ByProject words={words}>{(house, _, groups) => <Report key={house.HouseID} house={house} groups={groups} />}</ByProject>
}

/** The table of a project, or of what of it the tree has selected. */
function Report({ house, groups }: { house: Project; groups: readonly Group[] }) {
  const { t } = useTranslation('deviceData')
  const [selection] = useSelection()
  const [address, change] = useDataAddress()
  const [isPicking, setPicking] = useState(false)
  const { projects, lacking } = useProjects([house.HouseID])
  const all = useLineRefs(projects)
  const selected = useMemo(() => all.filter((each) => isSelected(each, selection)), [all, selection])
  const subject = useMemo(() => subjectOf(selected, address), [selected, address])
  const zone = useMemo(() => zoneClock(house.TimeZone), [house.TimeZone])
  const period = usePeriod(address, zone)
  const { lines, points, offered } = subject
  const body = {
    LineIDs: lines.map(({ line }) => line.LineID),
    Points: points.map(({ key }) => key),
    ...{ Step: address.step, From: period.from, To: period.to },
  }
  const isReady = lines.length > 0 && points.length > 0
  return (
    <Page
      title={t('title')}
      crumb={crumbOf(selection, groups, all) ?? house.Name}
      tools={<Exports asked={isReady ? body : null} />}
    >
      <div className="data-tools">
        <StepBar address={address} period={period} zone={zone} change={change} />
        <PointChips
          lines={lines.length}
          offered={subject.offeredPoints}
          chosen={points}
          onPickLines={() => setPicking(true)}
          onChange={(keys) => change({ points: keys.join(',') })}
        />
      </div>
      {lacking && <Unloaded query={lacking} />}
      {!lacking && offered.length === 0 && <Empty title={t('noLines')} hint={t('noLinesHint')} />}
      {offered.length > 0 && points.length === 0 && <Empty title={t('noPoints')} hint={t('noPointsHint')} />}
      {isReady && <TableView {...{ house, zone, subject, address, body, change }} />}
      {isPicking && (
        <LinesDialog
          lines={offered}
          chosen={lines.map(({ line }) => line.LineID)}
          onClose={() => setPicking(false)}
          onDone={(ids) => {
            change({ lines: ids.length === 0 || ids.length === offered.length ? null : ids.join(',') })
            setPicking(false)
          }}
        />
      )}
    </Page>
  )
}
