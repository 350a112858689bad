import { useState } from 'react'
import { Segments } from '../ui/fields.tsx'
import { useListState } from '../ui/list-state.ts'
import type { TableColumn } from '../ui/query-table.tsx'
import { QueryTable } from '../ui/query-table.tsx'

interface Example {
  readonly id: number
  readonly name: string
  readonly value: number | null
}

const items: readonly Example[] = [
  { id: 1, name: '1# 低压配电室', value: 12.5 },
  { id: 2, name: 'A name that is rather longer than its column can show without being cut somewhere', value: null },
]
const columns: readonly TableColumn<Example>[] = [
  { key: 'name', head: '名称', cell: ({ name }) => name, text: ({ name }) => name },
  { key: 'value', head: 'A', end: true, cell: ({ value }) => value ?? '–', text: ({ value }) => value },
]
const sortable = ['name'] as const
const states = [
  { value: 'rows', label: 'rows' },
  { value: 'none', label: 'none' },
  { value: 'loading', label: 'loading' },
  { value: 'failed', label: 'failed' },
] as const

/** The list in each of its states. */
export function GalleryTable() {
  const list = useListState([], sortable)
  const [state, setState] = useState<(typeof states)[number]['value']>('rows')
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set())
  const shown = state === 'rows' ? items : []
  return (
    <div className="table">
      <QueryTable
        label="Example"
        columns={columns}
        rows={{
          data: state === 'loading' || state === 'failed' ? undefined : { items: shown, total: shown.length },
          at: 0,
          isFetching: state === 'loading',
          problem: state === 'failed' ? '网络错误' : null,
          retry: () => setState('rows'),
        }}
        rowKey={({ id }) => String(id)}
        list={list}
        filters={<Segments label="state" value={state} options={states} onChange={setState} />}
        rowActions={() => (
          <button type="button" className="btn small quiet">
            编辑
          </button>
        )}
        selection={{ keys, onChange: setKeys }}
        empty={{ title: '还没有记录' }}
        fetchPage={async () => ({ items: shown, total: shown.length })}
      />
    </div>
  )
}
