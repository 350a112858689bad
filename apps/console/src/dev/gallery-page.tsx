import { families } from '@linewarden/equipment'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { FamilyIcon } from '../ui/family-icon.tsx'
import { FilterSelect, SearchField, Segments, SelectField, TextArea, TextField } from '../ui/fields.tsx'
import { FileButton } from '../ui/file-button.tsx'
import { FileChoice } from '../ui/file-choice.tsx'
import { changeLanguage, language } from '../ui/i18n.ts'
import { Icon } from '../ui/icon.tsx'
import { Logo } from '../ui/logo.tsx'
import { Mark } from '../ui/mark.tsx'
import { Place } from '../ui/place.tsx'
import { Popover } from '../ui/popover.tsx'
import { QrCode } from '../ui/qr-code.tsx'
import { ResidualBar } from '../ui/residual-bar.tsx'
import type { SwitchState } from '../ui/switch-symbol.tsx'
import { SwitchSymbol } from '../ui/switch-symbol.tsx'
import { TriCheck } from '../ui/tri-check.tsx'
import { ValueCell } from '../ui/value-cell.tsx'
import { Charts, Strips } from './gallery-figures.tsx'
import { Frames, Overs } from './gallery-frames.tsx'
import { Ages, Happenings } from './gallery-happenings.tsx'
import { Bodies, Notices } from './gallery-notices.tsx'
import { GalleryTables } from './gallery-table.tsx'
import './gallery.css'

const states: readonly SwitchState[] = ['closed', 'open', 'tripped', 'opening', 'closing', 'unknown', 'offline']
const icons = [...new Set(families.map(({ icon }) => icon))]
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
          <Notices />
          <Bodies />
          <h2>Lists</h2>
          <GalleryTables />
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
        {(['alarm', 'fault', 'warning', 'order', 'off'] as const).map((kind) => (
          <span key={kind} className="state">
            <Mark kind={kind} /> {kind}
          </span>
        ))}
      </div>
      <div className="row">
        {icons.map((icon) => (
          <span key={icon} className="state">
            <FamilyIcon icon={icon} /> {icon}
          </span>
        ))}
      </div>
      <p>
        <Place names={['مصنع الشرق', '5', 'לוח 2']} />
      </p>
      <div className="row">
        <Logo />
        <Logo height={40} />
        <QrCode text="https://plant.example/devmon/realtime?line=1" label="1层照明一" />
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
      <div className="row">
        <FileButton accept="image/*" onFile={() => {}} />
        <FileButton accept="image/*" onFile={() => {}} wrong />
        <FileButton accept="image/*" onFile={() => {}} disabled />
        <FileChoice accept=".csv" disabled={false} onFile={() => {}} />
      </div>
      <div className="row">
        {(['all', 'some', 'none'] as const).map((chosen) => (
          <TriCheck key={chosen} chosen={chosen} onChange={() => {}}>
            {chosen}
          </TriCheck>
        ))}
        <TriCheck chosen="some" disabled title="Blocked, and why" onChange={() => {}}>
          Blocked
        </TriCheck>
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
