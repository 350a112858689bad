import { CallError } from '@linewarden/client'
import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import { Unloaded } from '../app/net/unloaded.tsx'
import { DownloadCourse } from '../app/notify/download-strip.tsx'
import { ToastText } from '../app/notify/toasts.tsx'
import { Empty, Failed, Loading } from '../ui/body-state.tsx'
import { ExportButton } from '../ui/export-button.tsx'
import { Outdated } from '../ui/outdated.tsx'
import { serverNow } from '../ui/use-now.ts'
import { columns } from './gallery-table.tsx'

const download = { ticket: 'x', name: 'history-2026-01-15.csv', rows: 12_400, share: 0.62, awaySince: null }

/** What is said for a moment, and how far a download is. */
export function Notices() {
  return (
    <>
      <h2>Toasts, downloads, export</h2>
      <div className="toasts">
        {(['info', 'refusal', 'error', 'event'] as const).map((kind) => (
          <ToastText key={kind} kind={kind} text={`默认分组不能删除 (${kind})`} />
        ))}
      </div>
      <div className="row">
        {(['waiting', 'running', 'done', 'ended'] as const).map((state) => (
          <DownloadCourse key={state} download={{ ...download, state, ...(state === 'waiting' && { rows: 0, share: 0 }) }} />
        ))}
      </div>
      <div className="row exports">
        <ExportButton name="goes on" columns={columns} fetchPage={() => new Promise(() => {})} />
        <ExportButton name="fails" columns={columns} fetchPage={() => Promise.reject(new Error('no rows'))} />
      </div>
    </>
  )
}

const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Number.POSITIVE_INFINITY } } })

/** What a body shows in place of what is not there. */
export function Bodies() {
  return (
    <>
      <h2>Bodies</h2>
      <div className="thirds">
        <Empty title="还没有线路" hint="先新建项目并添加网关" action={{ label: '新建', run: () => {} }} />
        <Loading />
        <Failed message="服务器无响应，请求超时" retry={() => {}} />
        <Failed message="服务器无响应，请求超时" retry={() => {}} busy />
        <QueryClientProvider client={queryClient}>
          <Unanswered />
          <Refused />
          <Older />
        </QueryClientProvider>
      </div>
      <Outdated problem="服务器无响应，请求超时" at={serverNow() - 60_000} busy={false} retry={() => {}} />
    </>
  )
}

function Unanswered() {
  const query = useQuery({ queryKey: ['unanswered'], queryFn: () => new Promise<string>(() => {}) })
  return <Unloaded query={query} />
}

function Refused() {
  const query = useQuery({
    queryKey: ['refused'],
    queryFn: () => Promise.reject<string>(new CallError({ kind: 'http', status: 502 })),
  })
  return <Unloaded query={query} />
}

function Older() {
  const query = useQuery({
    queryKey: ['outdated'],
    queryFn: () => Promise.reject<string>(new CallError({ kind: 'http', status: 502 })),
    initialData: 'from before',
    initialDataUpdatedAt: 0,
    staleTime: 0,
  })
  return <Unloaded query={query} />
}
