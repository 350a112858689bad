import { inBoth } from '../../ui/in-both.ts'

/** The way from an empty installation to the first live line. */
export const firstRun = inBoth(
  {
    title: '开始使用',
    project: '新建项目',
    projectHint: '项目是一个现场：一栋楼、一个厂区或一户。',
    addProject: '新建项目',
    gateway: '添加网关',
    gatewayHint: '网关装在配电箱内，负责上报和转发指令。需要铭牌上的编号和 IMEI。',
    addGateway: '添加网关',
    birth: '等待网关上线',
    birthHint: '把服务器地址、用户名和密钥写入网关并通电。本页会自动继续。',
    waiting: '等待网关首次连接…',
    connected: '网关已连接，等待它上报设备…',
    lines: '查看线路',
    linesHint: '网关上报设备后，线路和实时数据会自动出现在这里。',
  },
  {
    title: 'Getting started',
    project: 'Add a project',
    projectHint: 'A project is one site: a building, a plant or a home.',
    addProject: 'Add project',
    gateway: 'Add a gateway',
    gatewayHint:
      'The gateway sits in the cabinet, reports values and passes commands on. You need its number and the IMEI on its nameplate.',
    addGateway: 'Add gateway',
    birth: 'Wait for the gateway',
    birthHint: 'Enter server, user name and secret into the gateway and power it up. This page continues automatically.',
    waiting: 'Waiting for its first connection ...',
    connected: 'The gateway is connected; waiting for its devices ...',
    lines: 'See its lines',
    linesHint: 'Once the gateway has reported its devices, lines and live values appear here automatically.',
  },
)
