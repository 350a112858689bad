import { logTimers, queryTimers } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { api } from '../../../app/net/api.ts'
import { useCall } from '../../../app/net/use-call.ts'
import { useRows } from '../../../app/net/use-rows.ts'
import { useSelection } from '../../../plant/selection.ts'
import { addTexts } from '../../../ui/i18n.ts'
import { useListState } from '../../../ui/list-state.ts'
import { PickFilter } from '../../../ui/pick-field.tsx'
import { useDelayed } from '../../../ui/use-delayed.ts'
import { useByNow } from '../../../ui/use-now.ts'
import { automation } from '../parts/texts.ts'
import { runWhy } from '../parts/why-texts.ts'
import { filterNames, runFilter } from './filters.ts'
import { RunLogPage } from './run-log-page.tsx'
import { runLog } from './texts.ts'
import { WhyBox } from './why-box.tsx'

addTexts({ automation, runLog, runWhy })

/** Runs say by themselves that they go on: this is for what a lost connection has kept from here. */
const everyMs = 60_000
/** So many timers can be chosen from; of more the tree narrows them down. */
const maxTimers = 200

/** What did timers do, and why did one do nothing? */
export function TimerLogPage() {
  const { t } = useTranslation('runLog')
  const [selection] = useSelection()
  const list = useListState(filterNames)
  const minute = useByNow((now) => Math.floor(now / 60_000))
  const asked = runFilter(list, selection, useDelayed(list.filter('q'), 300), minute * 60_000)
  const body = {
    ...{ ...asked.place, From: asked.from, AmissFirst: asked.amissFirst },
    ...(asked.sourceId !== null && { TimerID: asked.sourceId }),
    ...(asked.states && { States: asked.states }),
    ...(asked.text !== '' && { Text: asked.text }),
  }
  const rows = useRows(logTimers, { body: { ...body, Page: list.page, Size: list.size } }, { everyMs })
  const timers = useCall(queryTimers, { body: { ...asked.place, Sort: 'Name', Size: maxTimers } })
  const known = timers.data?.items ?? []
  return (
    <RunLogPage
      title={t('timerTitle')}
      isOfTimers
      list={list}
      days={asked.days}
      amissFirst={asked.amissFirst}
      rows={rows}
      fetchPage={(Page, Size) => api.call(logTimers, { body: { ...body, Page, Size } })}
      before={<WhyBox timers={known} />}
      filters={
        <PickFilter
          label={t('anyTimer')}
          value={asked.sourceId === null ? '' : String(asked.sourceId)}
          options={known.map(({ TimerID, Name, HouseName }) => ({ value: String(TimerID), label: Name, note: HouseName }))}
          onChange={(value) => list.setFilter('of', value)}
        />
      }
    />
  )
}
