import type { OverriddenLine, Timer } from '@linewarden/contract'
import { queryTimers, timersAbout } from '@linewarden/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { api } from '../../../app/net/api.ts'
import { useCall } from '../../../app/net/use-call.ts'
import { useRows } from '../../../app/net/use-rows.ts'
import { placeFilter } from '../../../plant/place-filter.ts'
import { placeName } from '../../../plant/place-name.ts'
import { useTree } from '../../../plant/queries.ts'
import { useSelection } from '../../../plant/selection.ts'
import { FilterSelect, SearchField } from '../../../ui/fields.tsx'
import { addTexts } from '../../../ui/i18n.ts'
import { Icon } from '../../../ui/icon.tsx'
import type { ListState } from '../../../ui/list-state.ts'
import { useListState } from '../../../ui/list-state.ts'
import { Page } from '../../../ui/page.tsx'
import { QueryTable } from '../../../ui/query-table.tsx'
import { useDelayed } from '../../../ui/use-delayed.ts'
import { usePhone } from '../../../ui/use-media.ts'
import { Overrides } from '../parts/overrides.tsx'
import { automation } from '../parts/texts.ts'
import { TimerTools } from '../timer-form/timer-tools.tsx'
import { useDayAsked } from './day/day-asked.ts'
import { filterNames, sortable, timerFilter } from './filters.ts'
import { OverrideDrawer } from './override-drawer.tsx'
import { SwitchTimerDialog } from './switch-timer-dialog.tsx'
import { timers } from './texts.ts'
import { timerColumns } from './timer-columns.tsx'
import { TimerDrawer } from './timer-drawer.tsx'
import { TimerNotices } from './timer-notices.tsx'
import { TimerStrip } from './timer-strip.tsx'
import { useNoTimers } from './why-no-change.ts'
import './timers.css'

addTexts({ automation, timers })

/** Runs say by themselves that they begin and end; what stands against the next one changes unsaid. */
const everyMs = 30_000
const aboutEveryMs = 30_000

/** What acts by itself, and when next? Filters, place and the open one stand in the address. */
export function TimerListPage() {
  const { t } = useTranslation(['timers', 'automation', 'app'])
  const [selection, select] = useSelection()
  const list = useListState(filterNames, sortable)
  const text = useDelayed(list.filter('q'), 300)
  const filter = { ...timerFilter(list, selection, text), ...list.order }
  const rows = useRows(queryTimers, { body: { ...filter, Page: list.page, Size: list.size } }, { everyMs })
  const groups = useTree().data?.Groups ?? []
  const place = placeName(selection, groups)
  const about = useCall(timersAbout, { body: placeFilter(selection) }, { refetchInterval: aboutEveryMs }).data
  const { houseOfDay, openDay } = useDayAsked()
  const [overridden, setOverridden] = useState<OverriddenLine | null>(null)
  const [switching, setSwitching] = useState<Timer | null>(null)
  const reasons = useNoTimers()
  const [address, setAddress] = useSearchParams()
  const open = /^[1-9]\d{0,8}$/.exec(address.get('timer') ?? '')?.[0] ?? null
  const show = (timerId: number | null) => {
    setOverridden(null)
    setAddress((before) => {
      if (timerId === null) before.delete('timer')
      else before.set('timer', String(timerId))
      return before
    })
  }
  const isPhone = usePhone()
  const reason = reasons(null)
  const newReason = reason ?? (isPhone ? t('tooNarrow') : null)
  const begin = (how: string) =>
    setAddress((before) => {
      before.set('new', how)
      return before
    })
  return (
    <Page
      title={t('title')}
      crumb={[place ?? t('allProjects'), ...(rows.data ? [t('count', { count: rows.data.total })] : [])].join(' · ')}
      tools={<TimerTools reason={newReason} onDay={openDay} />}
    >
      {about && about.Total > 0 && (
        <TimerStrip about={about} list={list} onDay={houseOfDay === null ? null : openDay} onOpen={show} />
      )}
      {about && <TimerNotices about={about} reason={reason} onOpen={show} />}
      <Overrides
        houseId={selection.kind === 'house' ? selection.id : null}
        onOpen={(line) => {
          show(null)
          setOverridden(line)
        }}
      />
      <div className="timer-list">
        <QueryTable
          label={t('title')}
          columns={timerColumns(t, { reasonOf: reasons, onSwitch: setSwitching, onOpen: show })}
          rows={rows}
          rowKey={({ TimerID }) => String(TimerID)}
          list={list}
          filters={<Filters list={list} place={place} onAllPlaces={() => select({ kind: 'all' })} />}
          empty={
            newReason === null
              ? {
                  ...{ title: t('none'), hint: t('noneHint') },
                  action: { label: t('create'), run: () => begin('1') },
                  second: { label: t('fromTemplate'), run: () => begin('template') },
                }
              : { title: t('none'), hint: `${t('noneHint')} ${newReason}` }
          }
          fetchPage={(Page, Size) => api.call(queryTimers, { body: { ...filter, Page, Size } })}
        />
      </div>
      {open !== null && <TimerDrawer key={open} timerId={Number(open)} onOpen={show} onClose={() => show(null)} />}
      {overridden && <OverrideDrawer key={overridden.LineID} line={overridden} onClose={() => setOverridden(null)} />}
      {switching && <SwitchTimerDialog timer={switching} onClose={() => setSwitching(null)} />}
    </Page>
  )
}

function Filters({ list, place, onAllPlaces }: { list: ListState; place: string | null; onAllPlaces: () => void }) {
  const { t } = useTranslation(['timers', 'app'])
  const chip = (name: string, value: string, label: string) => {
    const isOn = list.filter(name) === value
    return (
      <button type="button" className="chip" aria-pressed={isOn} onClick={() => list.setFilter(name, isOn ? '' : value)}>
        {label}
      </button>
    )
  }
  return (
    <>
      <SearchField label={t('search')} value={list.filter('q')} onChange={(value) => list.setFilter('q', value)} />
      <FilterSelect
        label={t('anySwitch')}
        value={list.filter('on')}
        options={[
          { value: 'yes', label: t('app:enabled') },
          { value: 'no', label: t('app:disabled') },
        ]}
        onChange={(value) => list.setFilter('on', value)}
      />
      {chip('conflict', 'yes', t('conflict'))}
      {chip('owner', 'none', t('orphan'))}
      {chip('missed', 'yes', t('missedLately'))}
      {place !== null && (
        <button type="button" className="chip" aria-pressed="true" onClick={onAllPlaces}>
          {place}
          <Icon name="close" />
        </button>
      )}
    </>
  )
}
