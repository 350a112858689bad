import { exportAlarmRationales, listAlarmRationales } from '@linewarden/contract'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { api } from '../../app/net/api.ts'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { useCall } from '../../app/net/use-call.ts'
import { ExportMenu } from '../../app/notify/export-menu.tsx'
import { useSession } from '../../app/session/session.ts'
import { ProjectOrDefault, useProjectOrDefault } from '../../plant/project-or-default.tsx'
import { Empty } from '../../ui/body-state.tsx'
import { SearchField } from '../../ui/fields.tsx'
import { addTexts } from '../../ui/i18n.ts'
import { Page } from '../../ui/page.tsx'
import type { SheetFilter } from './rationale/parts.ts'
import { passes } from './rationale/parts.ts'
import { SheetDrawer } from './rationale/sheet-drawer.tsx'
import { SheetTable } from './rationale/sheet-table.tsx'
import { rationaleSheet } from './rationale/sheet-texts.ts'
import './rationale/sheet.css'

addTexts({ rationaleSheet })

type Go = (values: Readonly<Record<string, string | null>>, replace?: boolean) => void

/** What is to be done about each alarm there can be? The rationalisation sheet of a project or as the default, read and written. */
export function RationalePage() {
  const { t } = useTranslation('rationaleSheet')
  const [address, setAddress] = useSearchParams()
  const { tree, house } = useProjectOrDefault(address)
  const go: Go = (values, replace = false) =>
    setAddress(
      (before) => {
        for (const [name, value] of Object.entries(values)) {
          if (value === null || value === '') before.delete(name)
          else before.set(name, value)
        }
        return before
      },
      { replace },
    )
  if (!tree.data)
    return (
      <Page title={t('title')}>
        <Unloaded query={tree} />
      </Page>
    )
  return (
    <Sheet
      house={house?.HouseID ?? null}
      name={house?.Name ?? t('default')}
      address={address}
      go={go}
      place={
        <ProjectOrDefault
          house={house?.HouseID ?? null}
          words={{ project: t('project'), level: t('level'), ofProject: t('ofProject'), default: t('default') }}
          onChoose={(to) => go({ house: to })}
        />
      }
    />
  )
}

function Sheet({
  house,
  name,
  address,
  place,
  go,
}: {
  house: number | null
  name: string
  address: URLSearchParams
  /** Chooses the project, or the default. */
  place: ReactNode
  go: Go
}) {
  const { t } = useTranslation('rationaleSheet')
  const user = useSession((session) => session.user)
  const query = useCall(listAlarmRationales, { query: house === null ? {} : { HouseID: house } })
  const { data } = query
  const shown = address.get('show')
  const filter: SheetFilter = {
    text: address.get('text') ?? '',
    show: shown === 'unanswered' || shown === 'written' ? shown : 'all',
  }
  const rows = (data?.items ?? []).filter((row) => passes(row, filter, house === null ? 'default' : 'project'))
  const chosen = address.get('key')
  const row = data?.items.find(({ Key }) => Key === chosen)
  const why = user === null || user.Shared ? 'shared' : house === null && !user.Roles.IsAdministrators ? 'administrators' : null
  const counts = data ? [t('count', { count: data.total }), t('unanswered', { count: data.about.Unanswered })] : []
  const toggle = (show: 'unanswered' | 'written') => (
    <button
      type="button"
      className="chip"
      aria-pressed={filter.show === show}
      onClick={() => go({ show: filter.show === show ? null : show }, true)}
    >
      {t(show === 'unanswered' ? 'onlyUnanswered' : 'onlyWritten')}
      {show === 'unanswered' && data && ` ${data.about.Unanswered}`}
    </button>
  )
  return (
    <Page
      title={t('title')}
      crumb={[name, ...counts].join(' · ')}
      tools={
        <ExportMenu
          ticket={(as) => api.call(exportAlarmRationales, { body: { ...(house !== null && { HouseID: house }), ...as } })}
        />
      }
    >
      <div className="sheet-bar">
        {place}
        <SearchField label={t('search')} value={filter.text} onChange={(text) => go({ text }, true)} />
        {toggle('unanswered')}
        {toggle('written')}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <div className="sheet-scroll" tabIndex={0}>
        <Unloaded query={query} />
        {rows.length > 0 && <SheetTable rows={rows} chosen={chosen} onChoose={(key) => go({ key })} />}
        {data && rows.length === 0 && (
          <Empty title={t('nothing')} action={{ label: t('clear'), run: () => go({ text: null, show: null }, true) }} />
        )}
      </div>
      {row && (
        <SheetDrawer key={`${house} ${row.Key}`} row={row} mayNot={why && t(`mayNot.${why}`)} onClose={() => go({ key: null })} />
      )}
    </Page>
  )
}
