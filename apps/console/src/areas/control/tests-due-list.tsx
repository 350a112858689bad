import type { Project } from '@linewarden/contract'
import { testsDue } from '@linewarden/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRows } from '../../app/net/use-rows.ts'
import { useMay, useMayOpen } from '../../app/session/use-may.ts'
import { paths } from '../../paths.ts'
import { SearchField } from '../../ui/fields.tsx'
import { useListState } from '../../ui/list-state.ts'
import { QueryTable } from '../../ui/query-table.tsx'
import { SelectionBar } from '../../ui/selection-bar.tsx'
import { ChosenTestsDialog } from './chosen-tests-dialog.tsx'
import { testsDueColumns } from './tests-due-columns.tsx'

const filters = ['name'] as const
/** The server takes no more lines in one group operation. */
const maxLines = 500

/** Every line that can be tested, the most overdue first; the chosen ones are tested, or given a plan. */
export function TestsDueList({
  project,
  houseIds,
  overdueOnly,
}: {
  project: Project | null
  houseIds: readonly number[]
  overdueOnly: boolean
}) {
  const { t } = useTranslation('safety')
  const list = useListState(filters)
  const may = useMay('lineSwitch')
  const mayLook = useMayOpen(paths.realtime)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [open, setOpen] = useState<'test' | 'plan' | 'planAll' | null>(null)
  const name = list.filter('name').trim().toLowerCase()
  const query = { ...(project && { HouseID: project.HouseID }), ...(overdueOnly && { Overdue: true }) }
  const everyMs = 15_000
  const found = useRows(testsDue, { query }, { everyMs })
  const shown = (found.data?.items ?? []).filter(
    ({ LineName, HouseID }) => LineName.toLowerCase().includes(name) && houseIds.includes(HouseID),
  )
  const rows = {
    ...found,
    data: found.data && { items: shown.slice((list.page - 1) * list.size, list.page * list.size), total: shown.length },
  }
  return (
    <>
      <QueryTable
        label={t('title')}
        columns={testsDueColumns(t, mayLook)}
        rows={rows}
        rowKey={({ LineID }) => String(LineID)}
        list={list}
        {...(may && { selection: { keys: chosen, onChange: setChosen } })}
        filters={
          <SearchField label={t('line')} value={list.filter('name')} onChange={(value) => list.setFilter('name', value)} />
        }
        actions={
          may && project && !overdueOnly && shown.length > 0 ? (
            <button type="button" className="btn" onClick={() => setOpen('planAll')}>
              {t('planProject')}
            </button>
          ) : undefined
        }
        below={
          <SelectionBar keys={chosen} onClear={() => setChosen(new Set())}>
            <button type="button" className="btn primary" disabled={chosen.size > maxLines} onClick={() => setOpen('test')}>
              {t('test')}
            </button>
            <button type="button" className="btn" onClick={() => setOpen('plan')}>
              {t('plan')}
            </button>
          </SelectionBar>
        }
        empty={overdueOnly ? { title: t('noneOverdue'), hint: t('noneOverdueHint') } : { title: t('noneTestable') }}
        fetchPage={async (page, size) => ({ items: shown.slice((page - 1) * size, page * size), total: shown.length })}
        exportName={t('title')}
      />
      {open !== null && (
        <ChosenTestsDialog
          what={open === 'test' ? 'test' : 'plan'}
          shown={shown}
          chosen={open === 'planAll' ? new Set(shown.map(({ LineID }) => String(LineID))) : chosen}
          onClose={() => setOpen(null)}
        />
      )}
    </>
  )
}
