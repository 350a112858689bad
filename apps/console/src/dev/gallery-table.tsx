import { useState } from 'react'
import { Segments } from '../ui/fields.tsx'
import type { ListState } from '../ui/list-state.ts'
import { useListState } from '../ui/list-state.ts'
import { QueryTable } from '../ui/query-table.tsx'
import type { TableColumn } from '../ui/table-column.ts'

interface Example {
  readonly id: number
  readonly name: string
  readonly value: number | null
}

const items: readonly Example[] = [
  { id: 1, name: '1# 低压配电室', value: 12.5 },
  { id: 2, name: 'A name that is rather longer than its column can show without being cut somewhere', value: null },
]
export const columns: readonly TableColumn<Example>[] = [
  { key: 'name', head: '名称', cell: ({ name }) => name, text: ({ name }) => name },
  { key: 'value', head: 'A', end: true, cell: ({ value }) => value ?? '–', text: ({ value }) => value },
]
const sortable = ['name'] as const

const some = { items, total: items.length }
const none = { items: [], total: 0 }
const at = Date.UTC(2026, 0, 15, 2, 30)
const problem = '网络错误'
const stands = {
  rows: { data: some, at, isFetching: false, problem: null },
  'rows, asked anew': { data: some, at, isFetching: true, problem: null },
  'old rows': { data: some, at, isFetching: false, problem },
  'old rows, asked anew': { data: some, at, isFetching: true, problem },
  none: { data: none, at, isFetching: false, problem: null },
  'no match': { data: none, at, isFetching: false, problem: null },
  loading: { data: undefined, at, isFetching: true, problem: null },
  failed: { data: undefined, at, isFetching: false, problem },
  'failed, asked anew': { data: undefined, at, isFetching: true, problem },
}
const shown = Object.keys(stands) as (keyof typeof stands)[]

/** The list in each of its states. */
export function GalleryTables() {
  const list = useListState([], sortable)
  return (
    <div className="halves">
      {shown.map((state) => (
        <GalleryTable key={state} state={state} list={list} />
      ))}
    </div>
  )
}

function GalleryTable({ state, list }: { state: keyof typeof stands; list: ListState }) {
  const [choice, setChoice] = useState('a')
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set())
  return (
    <div className="table">
      <QueryTable
        label={state}
        columns={columns}
        rows={{ ...stands[state], retry: () => {} }}
        rowKey={({ id }) => String(id)}
        list={{ ...list, filtered: state === 'no match' }}
        filters={<Segments label={state} value={choice} options={[{ value: 'a', label: state }]} onChange={setChoice} />}
        rowActions={() => (
          <button type="button" className="btn small quiet">
            编辑
          </button>
        )}
        selection={{ keys, onChange: setKeys }}
        empty={{ title: '还没有记录', hint: '先新建项目并添加网关', action: { label: '新建', run: () => {} } }}
        fetchPage={async () => some}
      />
    </div>
  )
}
