import { describeStdio } from './stdio-matrix.js'

describeStdio('asking back and following, over stdio')
