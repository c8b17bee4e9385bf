import { mount } from 'svelte';
import './base.css';
import './layout.css';
import App from './App.svelte';

const target = document.getElementById('app');
if (target) mount(App, { target });
