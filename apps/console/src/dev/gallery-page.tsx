import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { changeLanguage, language } from '../texts/i18n.ts'
import { Empty, Failed, Loading } from '../ui/body-state.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { FilterSelect, SearchField, Segments, SelectField, TextArea, TextField } from '../ui/fields.tsx'
import { Icon } from '../ui/icon.tsx'
import { Mark } from '../ui/mark.tsx'
import { Outdated } from '../ui/outdated.tsx'
import { Popover } from '../ui/popover.tsx'
import { ResidualBar } from '../ui/residual-bar.tsx'
import type { SwitchState } from '../ui/switch-symbol.tsx'
import { SwitchSymbol } from '../ui/switch-symbol.tsx'
import { serverNow } from '../ui/use-now.ts'
import { ValueCell } from '../ui/value-cell.tsx'
import { Charts, Strips } from './gallery-figures.tsx'
import { Frames, Overs } from './gallery-frames.tsx'
import { Ages, Happenings } from './gallery-happenings.tsx'
import { GalleryTable } from './gallery-table.tsx'
import './gallery.css'

const states: readonly SwitchState[] = ['closed', 'open', 'tripped', 'opening', 'closing', 'unknown', 'offline']
const choices = [
  { value: 'a', label: '选项一' },
  { value: 'b', label: 'Option two' },
]

/** Every primitive in every state, in both themes side by side. Only there while developing. */
export function GalleryPage() {
  return (
    <main className="gallery">
      <button type="button" className="btn" onClick={() => changeLanguage(language() === 'CN' ? 'EN' : 'CN')}>
        中 / EN
      </button>
      {(['light', 'dark'] as const).map((theme) => (
        <section key={theme} data-theme={theme} aria-label={theme}>
          <Symbols />
          <Controls />
          <Frames />
          <Overs />
          <Strips />
          <Charts />
          <Bodies />
          <Happenings />
        </section>
      ))}
    </main>
  )
}

function Symbols() {
  const { t } = useTranslation('monitor')
  return (
    <>
      <h2>State symbols, marks, values</h2>
      <div className="row">
        {states.map((state) => (
          <span key={state} className={`state ${state}`}>
            <SwitchSymbol state={state} />
            {t(state)}
          </span>
        ))}
      </div>
      <div className="row">
        {(['alarm', 'fault', 'warning', 'off'] as const).map((kind) => (
          <span key={kind} className="state">
            <Mark kind={kind} /> {kind}
          </span>
        ))}
      </div>
      <div className="row">
        <ValueCell text="230.4" severity={null} />
        <ValueCell text="0.0" severity={null} />
        <ValueCell text="–" severity={null} />
        <ValueCell text="265.2" severity="alarm" />
        <ValueCell text="78.6" severity="warning" />
        <ValueCell text="12.1" severity="fault" />
        <i className="quality">{t('staleMark')}</i>
        <i className="quality">{t('clockMark')}</i>
      </div>
      <Ages />
      <div className="row">
        <ResidualBar valueMa={6} tripMa={300} severity={null} />
        <ResidualBar valueMa={180} tripMa={300} severity="warning" />
        <ResidualBar valueMa={290} tripMa={300} severity="alarm" />
        <ResidualBar valueMa={null} tripMa={30} severity={null} />
      </div>
    </>
  )
}

function Controls() {
  const [text, setText] = useState('')
  const [choice, setChoice] = useState('a')
  const [asking, setAsking] = useState(false)
  return (
    <>
      <h2>Controls</h2>
      <div className="row">
        <button type="button" className="btn primary">
          合闸送电
        </button>
        <button type="button" className="btn">
          <Icon name="download" />
          Export
        </button>
        <button type="button" className="btn quiet">
          Quiet
        </button>
        <button type="button" className="btn" disabled>
          Blocked
        </button>
        <button type="button" className="chip" aria-pressed>
          chosen
        </button>
        <button type="button" className="chip">
          chip
        </button>
        <Segments label="range" value={choice} options={choices} onChange={setChoice} />
        <Popover label="Popover" icon={<Icon name="columns" />}>
          <label className="option">
            <input type="checkbox" defaultChecked /> 选项一
          </label>
        </Popover>
        <button type="button" className="btn" onClick={() => setAsking(true)}>
          Confirm …
        </button>
      </div>
      <div className="form-grid">
        <TextField label="名称" value={text} onChange={setText} required hint="hint" />
        <TextField label="Wrong" value={text} onChange={setText} error="请输入11位手机号" unit="A" />
        <SelectField label="Select" value={choice} options={choices} onChange={setChoice} />
        <TextArea label="备注" value={text} onChange={setText} />
        <SearchField label="线路名" value={text} onChange={setText} />
        <FilterSelect label="All" value="" options={choices} onChange={() => {}} />
      </div>
      {asking && (
        <ConfirmDialog
          title="删除分组 A"
          what="What will happen, in plain words."
          submit="删除"
          reasons={['检修', '其他']}
          onConfirm={async () => '操作失败，请稍后重试'}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}

function Bodies() {
  return (
    <>
      <h2>Bodies and lists</h2>
      <div className="thirds">
        <Empty title="还没有线路" hint="先新建项目并添加网关" action={{ label: '新建', run: () => {} }} />
        <Loading />
        <Failed message="服务器无响应，请求超时" retry={() => {}} />
      </div>
      <Outdated problem="服务器无响应，请求超时" at={serverNow() - 60_000} busy={false} retry={() => {}} />
      <GalleryTable />
    </>
  )
}
