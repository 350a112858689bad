import { rationale } from './rationale.ts'

const opened: readonly [string, string] = [
  '线路已停电。紧急：必须有人确认现场，未查明原因不得再合闸。',
  'The line is without supply. Critical: somebody must look on site, and it must not be closed before the cause is known.',
]
const byBreaker: readonly [string, string] = [
  '断路器自己上报的脱扣原因，平台不做判断。',
  'The trip cause that the breaker itself reports; the platform evaluates nothing.',
]

/** Protective trips: the breaker has acted already. */
export const tripRationales = [
  rationale('trip.leakage', {
    cause: [
      '接地故障、有人触电，或设备绝缘损坏。',
      'An earth fault, somebody touching a live part, or broken insulation of equipment.',
    ],
    consequence: ['可能有人触电。强行合闸会再次伤人。', 'Somebody may have had a shock. Closing again may hurt them again.'],
    action: [
      '先确认现场没有人触电。拔掉或断开全部负荷，测绝缘；逐路恢复，找到故障设备。查明并登记原因后才能远程合闸。',
      'First make sure that nobody has had a shock. Disconnect all loads, measure insulation, restore one by one to find the faulty one. The cause must be recorded before it can be closed remotely.',
    ],
    time: ['立即', 'At once'],
    priority: opened,
    basis: [`剩余电流超过动作值，${byBreaker[0]}`, `Residual current above the operating value. ${byBreaker[1]}`],
  }),
  rationale('trip.short', {
    cause: [
      '相间或相对中性线短路：电缆破损、设备内部击穿、金属物搭接。',
      'Short circuit between phases or to neutral: damaged cable, failed equipment, metal across terminals.',
    ],
    consequence: [
      '带故障合闸会产生电弧，烧毁开关，伤及操作人。',
      'Closing onto the fault makes an arc, destroys the breaker and hurts whoever operates it.',
    ],
    action: [
      '不要试合。停电、验电，测相间和对地绝缘，找到短路点；检查断路器触头，短路电流大的要更换。',
      'Do not try to close it. Isolate, prove dead, measure insulation between phases and to earth, find the spot. Inspect the breaker; after a heavy fault replace it.',
    ],
    time: ['立即', 'At once'],
    priority: opened,
    basis: [`瞬时脱扣，${byBreaker[0]}`, `Instantaneous release. ${byBreaker[1]}`],
  }),
  rationale('trip.overload', {
    cause: [
      '负荷长时间超过额定电流，或电动机堵转、缺相运行。',
      'Load above the rated current for long, a stalled motor, or a motor on two phases.',
    ],
    consequence: [
      '原样合闸会再次跳闸，导线和接头继续受热损伤。',
      'Closed as it is it will trip again, and conductors and terminals go on being damaged.',
    ],
    action: [
      '先减负荷，等开关冷却几分钟；检查接头有无烧蚀，确认电流正常后合闸，并观察 10 分钟。',
      'Shed load first and let the breaker cool for some minutes. Look for burnt terminals, close, and watch the current for 10 minutes.',
    ],
    time: ['立即', 'At once'],
    priority: opened,
    basis: [`热过载脱扣，${byBreaker[0]}`, `Thermal release. ${byBreaker[1]}`],
  }),
  rationale('trip.overvoltage', {
    cause: ['断零、供电电压偏高或误接 380 V。', 'A broken neutral, supply too high, or 400 V connected by mistake.'],
    consequence: ['电压未恢复就合闸，会烧毁下级设备。', 'Closed before voltage is back, it destroys what is connected.'],
    action: [
      '查三相电压和中性线；同一箱多路同时过压按断零处理，先断总开关。电压稳定 5 分钟后再合闸。',
      'Check all phases and the neutral; several lines of a cabinet at once mean a broken neutral: open the incomer first. Close when voltage has been steady for 5 minutes.',
    ],
    time: ['立即', 'At once'],
    priority: opened,
    basis: [`线路电压超过过压保护设定，${byBreaker[0]}`, `Voltage above the overvoltage setting. ${byBreaker[1]}`],
  }),
  rationale('trip.undervoltage', {
    cause: ['上级停电或电压过低、缺相。', 'Supply upstream is off or low, or a phase is lost.'],
    consequence: [
      '下级停电；来电后不能自恢复的设备需要人去合。',
      'Everything below is off, and what does not restart by itself needs somebody.',
    ],
    action: [
      '先看上级和同箱其他线路：都没电，等来电再合；只有这一路，查进线接头和缺相。合闸前确认下级无人作业。',
      'Look upstream and at the other lines of the cabinet: all off, wait for supply; this one only, check its supply joints and phases. Before closing make sure nobody works below.',
    ],
    time: ['立即', 'At once'],
    priority: opened,
    basis: [`线路电压低于欠压保护设定，${byBreaker[0]}`, `Voltage below the undervoltage setting. ${byBreaker[1]}`],
  }),
  rationale('trip.overtemperature', {
    cause: ['端子松动烧蚀、长期过载、箱内散热差。', 'Loose or burnt terminals, long overload, or a cabinet that cannot cool.'],
    consequence: ['接头已损伤，带伤合闸会打火起火。', 'A joint is damaged; closed like that it arcs and burns.'],
    action: [
      '停电、验电后打开检查端子，有变色烧蚀的必须处理或更换；降温后合闸，用红外复测。',
      'Isolate, prove dead, open and inspect the terminals; what is discoloured or burnt is mended or replaced. Close when cool and check with a thermal camera.',
    ],
    time: ['立即', 'At once'],
    priority: opened,
    basis: [`开关内部温度超过保护设定，${byBreaker[0]}`, `Temperature inside above the protective setting. ${byBreaker[1]}`],
  }),
  rationale('trip.arc', {
    cause: ['线路破损、接头松动或插座烧蚀产生故障电弧。', 'A damaged cable, a loose joint or a burnt socket arcs.'],
    consequence: [
      '电弧温度上千度，隐藏在墙内也能引燃周围材料。',
      'An arc is thousands of degrees hot and ignites what is around it, also inside a wall.',
    ],
    action: [
      '到现场闻、看、摸（隔着手背）有无焦味和发热；拔下全部插头，逐个查插座、接线盒和电缆。未找到电弧点不得合闸。',
      'Go there: smell, look, feel for heat with the back of the hand. Unplug everything, check sockets, boxes and cables one by one. Do not close before the spot is found.',
    ],
    time: ['立即', 'At once'],
    priority: opened,
    basis: [`电弧检测（GB/T 31143、IEC 62606），${byBreaker[0]}`, `Arc detection (IEC 62606, GB/T 31143). ${byBreaker[1]}`],
  }),
  rationale('limit.short', {
    cause: ['充电线路或负载侧短路。', 'Short circuit in a charging line or its load.'],
    consequence: [
      '限流器已在微秒级切断，没有打火；原样恢复会再次切断。',
      'The limiter cut it within microseconds and nothing arced. Restored as it is it cuts again.',
    ],
    action: [
      '断开负载，查充电器、插头和线缆；单独恢复空载，正常后逐个接回。',
      'Disconnect loads, check chargers, plugs and cables; restore without load, then one by one.',
    ],
    time: ['立即', 'At once'],
    priority: ['输出已切断，说明负载侧有短路。', 'Output is cut: there is a short circuit at the load.'],
    basis: ['限流式保护器自己判断并上报（GB 14287.6）。', 'The current limiter evaluates and reports it itself (GB 14287.6).'],
  }),
  rationale('limit.overload', {
    cause: ['同时充电的车辆过多，或接入了大功率电器。', 'Too many vehicles charge at once, or something large was plugged in.'],
    consequence: ['输出已切断；不减负荷会反复切断。', 'Output is cut, and will be again until load is less.'],
    action: [
      '减少同时充电数量，拔掉非充电负荷，再恢复输出。',
      'Let fewer charge at once, unplug what is no charger, then restore.',
    ],
    time: ['立即', 'At once'],
    priority: ['输出已切断，用户正在停电。', 'Output is cut: users are without supply.'],
    basis: [
      '限流式保护器的过载设定，自己判断并上报。',
      'The overload setting of the limiter, which evaluates and reports it itself.',
    ],
  }),
  rationale('limit.overtemperature', {
    cause: [
      '保护器散热不良、接线端子松动或长期满载。',
      'The limiter cannot cool, its terminals are loose, or it ran at full load for long.',
    ],
    consequence: ['输出已切断；端子松动未处理可能烧毁。', 'Output is cut. A loose terminal that is not mended may burn.'],
    action: [
      '停电检查端子和周围通风，清理遮挡；冷却后恢复并测温。',
      'Isolate, check terminals and ventilation, clear what covers it; restore when cool and measure.',
    ],
    time: ['立即', 'At once'],
    priority: ['输出已切断，且可能有过热点。', 'Output is cut, and something may be overheating.'],
    basis: ['保护器内部温度限值，自己判断并上报。', 'Its own temperature limit; it evaluates and reports it itself.'],
  }),
]
