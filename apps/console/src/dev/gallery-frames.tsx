import { useState } from 'react'
import { toast } from '../app/notify/toasts.tsx'
import { CopyValue } from '../ui/copy-value.tsx'
import { CloseFoot, Dialog } from '../ui/dialog.tsx'
import { Drawer } from '../ui/drawer.tsx'
import { TextField } from '../ui/fields.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { LeaveDialog } from '../ui/leave-dialog.tsx'
import { MomentChoice, MomentField } from '../ui/moment-field.tsx'
import { Page } from '../ui/page.tsx'
import { Pager } from '../ui/pager.tsx'
import { PickField, PickFilter } from '../ui/pick-field.tsx'
import { SelectionBar } from '../ui/selection-bar.tsx'
import { ShownOnce } from '../ui/shown-once.tsx'
import { Tabs } from '../ui/tabs.tsx'

const places = ['1# 低压配电室', '2# 低压配电室', 'Boiler house', '屋顶'].map((label, index) => ({
  value: String(index),
  label,
  note: `GW-${index}`,
}))

/** The frame of a page, with what stands in the frames of most pages. */
export function Frames() {
  const [page, setPage] = useState(2)
  const [size, setSize] = useState(10)
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set(['a', 'b']))
  const [picked, setPicked] = useState('0')
  const [tab, setTab] = useState('live')
  const [typed, setTyped] = useState('2026-11-23 08:30')
  const [chosen, setChosen] = useState<number | null>(Date.UTC(2026, 10, 23, 8, 30))
  return (
    <>
      <h2>Page frame, pages of a list, pick field</h2>
      <div className="framed">
        <Page
          title="实时监控"
          crumb="华东精密制造 › 1# 低压配电室 › a rather long name that the frame must cut somewhere"
          tools={
            <button type="button" className="btn">
              Tool
            </button>
          }
        >
          <div className="form-grid inset">
            <PickField label="位置" value={picked} options={places} onChange={setPicked} />
            <PickField label="Wrong" value="" options={places} onChange={setPicked} error="请选择" required />
            <PickField label="Blocked" value="1" options={places} onChange={setPicked} disabled />
            <PickFilter label="全部位置" value="" options={places} onChange={setPicked} />
            <MomentField label="有效期至" kind="minute" value={typed} onChange={setTyped} required />
            <MomentField label="Wrong" kind="day" value="2026-13-40" onChange={setTyped} error="请写成 2026-11-23" />
            <MomentChoice label="自" kind="minute" at={chosen} onChoose={setChosen} />
          </div>
          <SelectionBar keys={keys} onClear={() => setKeys(new Set())}>
            <button type="button" className="btn">
              移动
            </button>
          </SelectionBar>
          <Tabs
            label="Drawer"
            tabs={[
              { key: 'live', label: '实时' },
              { key: 'events', label: '事件', count: 3 },
            ]}
            chosen={tab}
            panel="gallery-panel"
            onChoose={setTab}
          />
          <div id="gallery-panel" role="tabpanel" aria-label="Drawer" className="inset">
            {tab}
          </div>
          <Pager page={page} size={size} total={57} onPage={setPage} onSize={setSize} />
          <Pager page={1} size={size} total={null} onPage={setPage} onSize={setSize} />
        </Page>
      </div>
    </>
  )
}

type Open = 'drawer' | 'dialog' | 'form' | 'broken' | 'once' | 'leave' | null

/** What comes over the page, opened one at a time. */
export function Overs() {
  const [open, setOpen] = useState<Open>(null)
  const [text, setText] = useState('')
  const close = () => setOpen(null)
  return (
    <>
      <h2>Over the page</h2>
      <div className="row">
        <button type="button" className="btn" onClick={() => setOpen('drawer')}>
          Drawer …
        </button>
        <button type="button" className="btn" onClick={() => setOpen('dialog')}>
          Dialog …
        </button>
        <button type="button" className="btn" onClick={() => setOpen('form')}>
          Form …
        </button>
        <button type="button" className="btn" onClick={() => setOpen('broken')}>
          A mistake …
        </button>
        <button type="button" className="btn" onClick={() => setOpen('once')}>
          Shown once …
        </button>
        <button type="button" className="btn" onClick={() => setOpen('leave')}>
          Leave …
        </button>
        {(['info', 'refusal', 'error'] as const).map((kind) => (
          <button key={kind} type="button" className="btn" onClick={() => toast(kind, `默认分组不能删除 (${kind})`)}>
            Toast: {kind}
          </button>
        ))}
      </div>
      {open === 'drawer' && (
        <Drawer
          label="1层照明一"
          title={<h2>1层照明一</h2>}
          subtitle={<p className="mute">A subtitle</p>}
          foot={
            <div className="foot">
              <button type="button" className="btn primary">
                合闸
              </button>
            </div>
          }
          onClose={close}
        >
          <p>What is left of a drawer stays usable.</p>
        </Drawer>
      )}
      {open === 'dialog' && (
        <Dialog label="执行过程" onClose={close}>
          <h2>执行过程</h2>
          <div className="content">
            <p>It only tells.</p>
          </div>
          <CloseFoot onClose={close}>
            <button type="button" className="btn primary" onClick={() => toast('refusal', '默认分组不能删除')}>
              Toast: refusal
            </button>
          </CloseFoot>
        </Dialog>
      )}
      {open === 'form' && (
        <FormDialog title="新建分组" submit="新建" onSubmit={async () => '名称已被使用'} onClose={close}>
          <TextField label="名称" value={text} onChange={setText} required error={text === '' ? '不能为空' : undefined} />
        </FormDialog>
      )}
      {open === 'broken' && (
        <FormDialog
          title="编辑分组"
          submit="保存"
          onSubmit={() => Promise.reject(new Error('a mistake of ours'))}
          onClose={close}
        >
          <TextField label="名称" value={text} onChange={setText} />
        </FormDialog>
      )}
      {open === 'leave' && (
        <LeaveDialog title="放弃修改" what="尚未保存的内容会丢失。" leave="放弃" stay="继续编辑" onLeave={close} onStay={close} />
      )}
      {open === 'once' && (
        <ShownOnce title="网关密钥" caution="密钥只显示这一次" kept="已保存" onClose={close}>
          <CopyValue label="密钥" value="an-example-of-no-gateway" />
        </ShownOnce>
      )}
    </>
  )
}
